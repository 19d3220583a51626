import { HttpError } from 'react-admin';

/** A file that was changed or removed since it was chosen cannot be read. */
export function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () =>
      reject(new HttpError('A file cannot be read any more. Please choose it again.', 0));
    reader.readAsDataURL(blob);
  });
}
