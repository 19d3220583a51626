import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '#ui/icons.tsx';
import { usePlace } from './router.tsx';
import { tenantRoutes } from './routes.ts';
import { signOut } from '#api/sign-out.ts';

/**
 * The menu: a row from 1024 px; under that it drops over the page. Escape, leaving it and a press
 * outside close it.
 */
export function Menu() {
  const { path: present } = usePlace();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    function press(event: PointerEvent) {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    }
    function key(event: KeyboardEvent) {
      if (event.key !== 'Escape') return;
      setOpen(false);
      toggle.current?.focus();
    }
    // Tabbed past its end, it would lie over what has the focus.
    function leave(event: FocusEvent) {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    }
    addEventListener('pointerdown', press);
    addEventListener('keydown', key);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('focusin', leave);
      removeEventListener('pointerdown', press);
      removeEventListener('keydown', key);
    };
  }, [open]);

  return (
    <div ref={box} className="lg:w-full">
      <button
        ref={toggle}
        type="button"
        aria-expanded={open}
        aria-controls="menu"
        onClick={() => setOpen(!open)}
        className="-mr-3 inline-flex min-h-12 items-center gap-2 rounded-control px-3 font-medium hover:bg-surface lg:hidden"
      >
        <Icon name={open ? 'close' : 'menu'} />
        {t('Menu')}
      </button>
      <nav
        id="menu"
        aria-label={t('Menu')}
        className={`${open ? 'opening' : 'max-lg:hidden'} max-lg:absolute max-lg:inset-x-0 max-lg:top-full max-lg:border-b max-lg:border-line max-lg:on-float max-lg:bg-raised max-lg:p-2 max-lg:shadow-float sm:max-lg:right-4 sm:max-lg:left-auto sm:max-lg:mt-2 sm:max-lg:w-72 sm:max-lg:rounded-card sm:max-lg:border lg:-mx-2 lg:mt-1`}
      >
        <ul className="lg:flex lg:flex-wrap">
          {tenantRoutes.map(({ path, title, menuTitle = title }) => (
            <li key={path}>
              <a
                href={path}
                aria-current={path === present ? 'page' : undefined}
                onClick={() => setOpen(false)}
                className={row}
              >
                {menuTitle}
              </a>
            </li>
          ))}
          <li className="max-lg:mt-2 max-lg:border-t max-lg:border-line max-lg:pt-2 lg:ml-auto">
            <button type="button" onClick={() => signOut()} className={`${row} w-full text-left`}>
              {t('Logout')}
            </button>
          </li>
        </ul>
      </nav>
    </div>
  );
}

const row =
  'flex min-h-12 items-center px-3 text-17 lg:px-2 lg:text-15 lg:whitespace-nowrap font-medium lg:text-muted hover:text-text max-lg:rounded-control max-lg:hover:bg-surface ' +
  '[&[aria-current]]:text-brand max-lg:[&[aria-current]]:bg-brand-soft lg:border-b-2 lg:border-transparent ' +
  'lg:hover:border-line lg:[&[aria-current]]:border-brand';
