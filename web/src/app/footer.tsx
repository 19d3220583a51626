import { brand } from '#brand/brand.ts';

export function Footer() {
  return (
    <footer className="mt-12 px-4 py-6 text-center text-13 text-muted">
      © {new Date().getFullYear()} {brand.name}
    </footer>
  );
}
