import '../../web/src/brand/brand.css';
import { createRoot } from 'react-dom/client';
import { followTabs } from '#api/tabs.ts';
import { Office } from '#app/office.tsx';

followTabs();
createRoot(document.getElementById('root')!).render(<Office />);
