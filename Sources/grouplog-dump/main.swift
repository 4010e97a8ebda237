import ToolSupport

Tool(DumpCommand.command, version: DumpCommand.version).main()
