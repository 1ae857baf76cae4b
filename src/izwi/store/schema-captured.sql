-- How many captures each WARC file has: kept while they come, so that nobody counts them all.

CREATE TABLE captured (
    shard TEXT PRIMARY KEY,
    number INTEGER NOT NULL
) WITHOUT ROWID;

INSERT INTO captured SELECT shard, count(*) FROM captures GROUP BY shard;

CREATE TRIGGER captures_added AFTER INSERT ON captures BEGIN
    INSERT INTO captured VALUES (new.shard, 1) ON CONFLICT DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER captures_removed AFTER DELETE ON captures BEGIN
    UPDATE captured SET number = number - 1 WHERE shard = old.shard;
    DELETE FROM captured WHERE shard = old.shard AND number = 0;
END;
