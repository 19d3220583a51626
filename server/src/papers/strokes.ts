import type { Strokes } from '@gatehouse/contract/signing';

/** Draws a signature from a corner down; `scale` is points by its own units. */
export function drawStrokes(
  document: PDFKit.PDFDocument,
  strokes: Strokes,
  { left, top, scale, colour }: { left: number; top: number; scale: number; colour: string },
): void {
  document.strokeColor(colour).lineWidth(1.2).lineCap('round').lineJoin('round');
  for (const [x = 0, y = 0, ...rest] of strokes) {
    document.moveTo(left + x * scale, top + y * scale);
    for (let at = 0; at + 1 < rest.length; at += 2)
      document.lineTo(left + rest[at]! * scale, top + rest[at + 1]! * scale);
    document.stroke();
  }
}
