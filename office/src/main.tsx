import '../../web/src/brand/brand.css';
import { createRoot } from 'react-dom/client';
import { Office } from '#app/office.tsx';

createRoot(document.getElementById('root')!).render(<Office />);
