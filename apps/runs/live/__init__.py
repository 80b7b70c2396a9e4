"""From the log to the browser: one hub a process, a cursor a client, frames shared by all."""
