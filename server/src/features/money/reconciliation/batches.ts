/** What is listed, in arrays of this many; the last may have fewer. */
export async function* batchesOf<Kind>(
  listed: AsyncIterable<Kind>,
  atOnce: number,
): AsyncGenerator<Kind[]> {
  let batch: Kind[] = [];
  for await (const one of listed) {
    batch.push(one);
    if (batch.length < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
