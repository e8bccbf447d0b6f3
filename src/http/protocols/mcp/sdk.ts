/** Part of the MCP library that serves requests; a dynamic import of the library includes all of it. */

export { createMcpHandler, Server } from '@modelcontextprotocol/server'
