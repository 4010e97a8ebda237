import StoreToolSupport
import ToolSupport

Tool(opening: CaptureCommand.command).main()
