-- What pages brought is kept by host from here on. Older numbers say nothing of any host: they would
-- only take the room, as facts of tens of thousands of hosts that are never met again.

DELETE FROM facts;
