import { PAPER_BODY_BYTES } from '@gatehouse/contract/vehicle-papers';
import { t } from '@gatehouse/language/t';
import { Refusal } from '#errors/refusal.ts';

/**
 * The most memory for the bodies of uploads in progress together, in bytes as they arrive: two of
 * the largest.
 */
const ROOM_BYTES = 2 * PAPER_BODY_BYTES;
const MOST_UPLOADS = 100;
/** A body that waits longer for memory ends the largest upload that is still arriving. */
const LONGEST_WAIT_MS = 5000;

/** An upload in the room. */
export type Upload = {
  /** Waits until this many further bytes fit; an upload that is refused meanwhile waits on. */
  hold(bytes: number): Promise<void>;
  /** The body is complete; from now on the upload is not ended for another. */
  arrive(): void;
  /** Releases what the upload holds; a second time has no effect. */
  end(): void;
};

type Held = { bytes: number; isArriving: boolean; refuse: (why: () => Refusal) => void };
type Waiting = { upload: Held; bytes: number; grant: () => void; timer: NodeJS.Timeout };

/**
 * The memory for the bodies of uploads, counted as the bytes arrive, because a claimed length costs
 * the client nothing. One upload a user, so that a user holds half of the room at most.
 */
export class UploadRoom {
  #free = ROOM_BYTES;
  readonly #uploads = new Map<string, Held>();
  readonly #waiting: Waiting[] = [];

  /**
   * Begins an upload of a user; `refuse` is called where it is ended to make room. Throws a Refusal
   * with 429 while another upload of the user is in progress, with 503 above 100 uploads.
   */
  begin(userId: string, refuse: (why: () => Refusal) => void): Upload {
    if (this.#uploads.has(userId))
      throw new Refusal(429, t('Another photo of yours is still arriving. Please try again.'), 5);
    if (this.#uploads.size >= MOST_UPLOADS) throw noRoom();
    const upload: Held = { bytes: 0, isArriving: true, refuse };
    this.#uploads.set(userId, upload);
    return {
      hold: (bytes) => this.#hold(upload, bytes),
      arrive: () => (upload.isArriving = false),
      end: () => {
        if (this.#uploads.get(userId) === upload) this.#uploads.delete(userId);
        this.#release(upload);
      },
    };
  }

  async #hold(upload: Held, bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && bytes <= this.#free) this.#take(upload, bytes);
    else
      await new Promise<void>((grant) => {
        const timer = setTimeout(() => this.#makeRoom(upload), LONGEST_WAIT_MS);
        this.#waiting.push({ upload, bytes, grant, timer });
      });
  }

  #take(upload: Held, bytes: number): void {
    this.#free -= bytes;
    upload.bytes += bytes;
  }

  /** Ends the largest upload that is still arriving, which may be the one that waits. */
  #makeRoom(waiting: Held): void {
    const others = [...this.#uploads.values()].filter(({ isArriving }) => isArriving);
    const largest = others.reduce((most, one) => (one.bytes > most.bytes ? one : most), waiting);
    largest.refuse(noRoom);
    this.#release(largest);
  }

  #release(upload: Held): void {
    this.#free += upload.bytes;
    upload.bytes = 0;
    for (const one of this.#waiting.filter((waiting) => waiting.upload === upload))
      this.#remove(one);
    for (
      let next = this.#waiting[0];
      next !== undefined && next.bytes <= this.#free;
      next = this.#waiting[0]
    ) {
      this.#remove(next);
      this.#take(next.upload, next.bytes);
      next.grant();
    }
  }

  #remove(one: Waiting): void {
    clearTimeout(one.timer);
    this.#waiting.splice(this.#waiting.indexOf(one), 1);
  }
}

function noRoom(): Refusal {
  return new Refusal(503, t('Many photos are arriving right now. Please try again in a moment.'));
}
