/** Hands a file to the browser to save, which shows nothing of it; `data` is base64. */
export function saveFile({
  fileName,
  contentType,
  data,
}: {
  fileName: string;
  contentType: string;
  data: string;
}): void {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: contentType }));
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}
