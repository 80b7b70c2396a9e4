"""Tools that other programs offer over the Model Context Protocol.

Here is all that needs no SDK; the doors to it are `aworld/tools/mcp_client.py` and
`aworld/tools/mcp_server.py`.
"""
