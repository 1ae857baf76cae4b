-- How many captures each WARC file has, as schema-captured.sql has it. A file has one writer, so
-- that no gatherer waits for another at its row.

-- What another gatherer writes meanwhile waits, and is counted.
LOCK TABLE captures IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE captured (
    shard TEXT PRIMARY KEY,
    number INTEGER NOT NULL
);

INSERT INTO captured SELECT shard, count(*) FROM captures GROUP BY shard;

CREATE FUNCTION count_capture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO captured VALUES (NEW.shard, 1)
        ON CONFLICT (shard) DO UPDATE SET number = captured.number + 1;
    ELSE
        UPDATE captured SET number = number - 1 WHERE shard = OLD.shard;
        DELETE FROM captured WHERE shard = OLD.shard AND number = 0;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER captures_counted AFTER INSERT OR DELETE ON captures
FOR EACH ROW EXECUTE FUNCTION count_capture();
