import { Component, type ReactNode } from 'react';
import { LoadError } from '#ui/lazy-part.tsx';
import { ErrorPage, faultOf } from '#features/error-page/error-page.tsx';
import { reportCaught } from './error-reporting.ts';

type Props = { resetKey: string; children: ReactNode };
type State = { error: unknown; failed: boolean; resetKey: string };

/**
 * Shows the error page for what its children throw, until the visitor continues to another place.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, failed: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error, failed: true };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { resetKey, error: undefined, failed: false };
  }

  override componentDidCatch(error: unknown): void {
    // A part that could not be loaded is the connection's fault; anything else is a bug.
    if (error instanceof LoadError) error.forget();
    else reportCaught(error);
  }

  override render() {
    const { failed, error } = this.state;
    if (!failed) return this.props.children;
    const tryAgain = error instanceof LoadError && (() => this.tryAgain(error));
    return <ErrorPage {...faultOf(error)} {...(tryAgain && { onTryAgain: tryAgain })} />;
  }

  private tryAgain(error: LoadError): void {
    error.tryAgain();
    this.setState({ error: undefined, failed: false });
  }
}
