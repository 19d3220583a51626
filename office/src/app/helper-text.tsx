import { type ComponentProps, isValidElement } from 'react';

/**
 * The line under an input. The library puts what is wrong in place of what helps as bare texts,
 * which fails on a page that the browser translates: here each is an element of its own.
 */
export function HelperText({ children, ...line }: ComponentProps<'p'>) {
  const error = isValidElement<{ error?: string }>(children) ? children.props.error : undefined;
  return (
    <p {...line}>
      <span key={error}>{children}</span>
    </p>
  );
}
