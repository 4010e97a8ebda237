import ToolSupport

Tool(DumpCommand.command).main()
