-- Runs lie in objects. A database that nothing has ever been written to holds none of an earlier
-- release, so no object has to ask (src/hosts/cloudflare/adopt.ts).
INSERT INTO entry (p, k, version, body)
  SELECT '_/adoption/state', 'head', 1, '{"after":"","quiet":0,"settled":true}'
  WHERE NOT EXISTS (SELECT 1 FROM entry);
