/** Hands a file to the browser to save; `data` is base64. */
export function saveFile({
  fileName,
  contentType,
  data,
}: {
  fileName: string;
  contentType: string;
  data: string;
}) {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: contentType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // Safari reads it only after the click is over.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

const REVOKE_AFTER_MS = 10_000;
