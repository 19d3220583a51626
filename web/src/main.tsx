import { holdErrors, reportErrorsWhenIdle } from '#app/error-reporting.ts';
import { start } from '#app/start.tsx';
import { openSession } from '#session/session.ts';
import '#ui/tokens.css';
import '#ui/print.css';

holdErrors();
openSession();

// Not by a top-level await: the screens import what this one's chunk holds, and the two would wait
// for each other.
void start().then(reportErrorsWhenIdle);
