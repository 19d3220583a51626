import { buttonClass } from '#ui/button.tsx';

/** Screens of the menu that are not built yet: a heading and what to do until then. */
function Plain({ title }: { title: string }) {
  return (
    <>
      <h1 className="text-24 font-semibold">{title}</h1>
      <p className="mt-2 text-muted">This page is not open yet. Until then, please call your facility.</p>
    </>
  );
}

export function Profile() {
  return <Plain title="Profile" />;
}

export function MaintenanceRequest() {
  return <Plain title="Maintenance Request" />;
}

export function ScheduleMoveOut() {
  return <Plain title="Schedule Move-Out" />;
}

export function Account() {
  return <Plain title="Account Management" />;
}

export function AccountLookup() {
  return (
    <div className="rounded-card border border-line bg-raised p-4 sm:p-6">
      <h1 className="text-24 font-semibold">Account Lookup</h1>
      <p className="mt-2 text-muted">
        This page is not open yet. Your facility can set up your account or a new password with you.
      </p>
      <a href="/login" className={buttonClass('secondary', 'mt-6 w-full')}>
        Back to Sign In
      </a>
    </div>
  );
}
