import type { Paper } from '@gatehouse/contract/papers';
import { useSubmit } from '#api/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icons.tsx';
import { saveFile } from '#ui/save-file.ts';

type Props = {
  label: string;
  /** Completes the label for screen readers: what is downloaded. */
  about: string;
  fetchPaper: () => Promise<Paper>;
};

/** Downloads a PDF; a failure is said under it, and pressing it again tries again. */
export function PaperButton({ label, about, fetchPaper }: Props) {
  const { submit, isBusy, error } = useSubmit<object>(async () => saveFile(await fetchPaper()));
  return (
    <>
      <Button variant="quiet" busy={isBusy} className="tabular-nums" onClick={() => void submit({})}>
        <Icon name="download" className="size-4.5" />
        {/* One text, so that what is read out has its space. */}
        <span>
          {label}
          <span className="sr-only"> {about}</span>
        </span>
      </Button>
      {error !== null && !isBusy && (
        <p role="alert" className="text-13 text-bad">
          {error}
        </p>
      )}
    </>
  );
}
