import { t } from '@gatehouse/language/t';
import { Icon } from './icons.tsx';

type PagerProps = {
  page: number;
  pages: number;
  /** The page numbers to offer. */
  window: number[];
  onPage: (page: number) => void;
  /** What is paged, for screen readers. */
  label: string;
};

export function Pager({ page, pages, window, onPage, label }: PagerProps) {
  return (
    <nav
      aria-label={label}
      className="flex items-center justify-center gap-0.5 max-sm:-mx-4 max-xs:gap-0 sm:-mr-3 sm:justify-end"
    >
      <button
        type="button"
        className={step}
        aria-label={t('Previous page')}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="chevron-left" />
      </button>
      {window.map((number) => (
        <button
          key={number}
          type="button"
          className={number === page ? current : step}
          aria-label={t('Page {number}', { number })}
          aria-current={number === page ? 'page' : undefined}
          onClick={() => onPage(number)}
        >
          {number}
        </button>
      ))}
      <button
        type="button"
        className={step}
        aria-label={t('Next page')}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <Icon name="chevron-right" />
      </button>
    </nav>
  );
}

const shape =
  'inline-flex h-11 min-w-0 basis-11 items-center justify-center rounded-control font-medium tabular-nums';
const step = `${shape} text-brand hover:bg-brand-soft disabled:cursor-not-allowed disabled:text-muted disabled:opacity-50 disabled:hover:bg-transparent`;
const current = `${shape} bg-brand-soft text-brand`;
