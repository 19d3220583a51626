import { useState } from 'react';

/** A chosen file, and why it cannot be sent, once that is known. */
type Checked = { file: File | null; fault: string | null };

/** The file of a form, which `check` reads as soon as it is chosen. */
export function useCheckedFile(check: (file: File) => Promise<string | null>) {
  const [checked, setChecked] = useState<Checked>({ file: null, fault: null });
  function choose(file: File | null) {
    setChecked({ file, fault: null });
    if (file === null) return;
    void check(file).then((fault) =>
      setChecked((now) => (now.file === file ? { file, fault } : now)),
    );
  }
  return { ...checked, choose };
}
