"""The one way out of the sandbox: a proxy on the machine that lets listed hosts through.

Inside there is no network but the loopback. There `forwarder` listens and hands every connection,
over a socket in the file tree, to `proxy` outside, which alone resolves names and connects.
"""
