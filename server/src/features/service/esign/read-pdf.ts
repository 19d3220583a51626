import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import { Refusal } from '#errors/refusal.ts';
import type { Area } from '#papers/stamp-pdf.ts';

/** A PDF is read within this time, or refused. */
const LONGEST_MS = 10_000;
const MOST_HEAP_MB = 512;

/** A form field of a PDF where it is shown, with the size of its type; null where it has none. */
export type NamedPlace = Area & { name: string; size: number | null };

/** What is printed on the pages of a PDF, as a PDF of its own, and its form fields in order. */
export type ReadPdf = { pdf: Uint8Array; pages: number; places: NamedPlace[] };

/** What the thread answers: what it read, or what is wrong in a sentence. */
export type PdfAnswer = { read: ReadPdf } | { fault: string };

export const PDF_DAMAGED = 'The PDF is damaged, or is none: save it anew.';

// A hostile file takes memory outside of its thread's heap: one at a time.
const queue = new PQueue({ concurrency: 1 });

/**
 * Reads an operator's PDF in a thread of its own. Of its pages it keeps what is printed: no script,
 * action, attachment, link, comment or field. Refuses with 422 one that is damaged, protected, an
 * XFA form, of more than 50 pages, or that takes too long or too much memory to read.
 */
export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  const answer = await queue.add(() => askThread(bytes));
  if ('fault' in answer) throw new Refusal(422, answer.fault);
  return answer.read;
}

async function askThread(bytes: Buffer): Promise<PdfAnswer> {
  const thread = new Worker(new URL('./read-pdf-thread.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    // Where the library writes its warnings.
    stdout: true,
    stderr: true,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<PdfAnswer>((resolve) => {
      const late = { fault: 'The PDF takes too long to read: save it in a simpler way.' };
      timer = setTimeout(() => resolve(late), LONGEST_MS);
      thread.once('message', resolve);
      thread.once('error', () => resolve({ fault: PDF_DAMAGED }));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
