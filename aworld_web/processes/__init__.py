"""The parent process of `aworld up` and what it starts: Valkey, web, workers, the model server.

Belongs here: starting, watching, restarting and ending processes; the data folder's preparation;
reports on all that for the page. Does not belong here: what the processes do. Imports no Django
(the parent stays small and is up at once), except `prepare`, which runs as a process of its own.
"""
