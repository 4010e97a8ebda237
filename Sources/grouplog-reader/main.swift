import StoreToolSupport
import ToolSupport

Tool(opening: ReaderCommand.command).main()
