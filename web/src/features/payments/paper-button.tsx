import type { Paper } from '@gatehouse/contract/papers';
import { useSubmit } from '#api/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icons.tsx';
import { saveFile } from '#ui/save-file.ts';

type Props = {
  label: string;
  /** Goes on with the label where there is room for it, and for screen readers everywhere. */
  more?: string;
  /** Completes the label for screen readers: what is downloaded. */
  about: string;
  fetchPaper: () => Promise<Paper>;
};

/**
 * Downloads a PDF; a failure is said under it, and pressing it again tries again. Stands last in a
 * row that wraps: the failure has a line of its own and no say in the width of the column.
 */
export function PaperButton({ label, more, about, fetchPaper }: Props) {
  const { submit, isBusy, error } = useSubmit<object>(async () => saveFile(await fetchPaper()));
  return (
    <>
      <Button
        variant="quiet"
        icon="download"
        busy={isBusy}
        className="-my-2.5 -mr-3 ml-auto tabular-nums"
        onClick={() => void submit({})}
      >
        {/* One text, so that what is read out has its space. */}
        <span>
          <span>{label}</span>
          {more !== undefined && <span className="max-sm:sr-only"> {more}</span>}
          <span className="sr-only"> {about}</span>
        </span>
      </Button>
      {error !== null && !isBusy && (
        <p
          role="alert"
          className="mt-1 flex w-0 min-w-full justify-end gap-1.5 text-left text-15 text-bad"
        >
          <Icon name="alert" className="mt-0.5 size-4.5" />
          <span>{error}</span>
        </p>
      )}
    </>
  );
}
