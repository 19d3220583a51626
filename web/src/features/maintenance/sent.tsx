import { getImage } from '@gatehouse/contract/images';
import { t } from '@gatehouse/language/t';
import { useEffect, useState } from 'react';
import { call, facilityPath } from '#api/call.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { Reference } from '#ui/reference.tsx';
import type { Sent } from './use-send-request.ts';

/** What is in the form's place once the request is with the facility. */
export function RequestSent({ sent, onAgain }: { sent: Sent; onAgain: () => void }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <div className="w-full">
        <Alert tone="good" focus>
          <p>{t('Your maintenance request has been successfully submitted.')}</p>
          <p>
            <Reference number={sent.reference} />
          </p>
        </Alert>
      </div>
      {sent.imageId !== undefined && <KeptPhoto tenantId={sent.tenantId} imageId={sent.imageId} />}
      <Button variant="secondary" className="max-sm:w-full sm:self-end" onClick={onAgain}>
        {t('Send another request')}
      </Button>
    </div>
  );
}

/**
 * The photo as the facility gets it; left out where it cannot be had, because the request itself is
 * safe.
 */
function KeptPhoto({ tenantId, imageId }: { tenantId: string; imageId: string }) {
  const [imageData, setImageData] = useState<string | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    call(
      getImage,
      { params: { ...facilityPath(), tenantId, imageId } },
      { signal: leaving.signal },
    ).then(
      (image) => setImageData(image.imageData),
      () => {},
    );
    return () => leaving.abort();
  }, [tenantId, imageId]);
  if (imageData === null) return null;
  return (
    <img
      src={imageData}
      alt={t('What you sent with your request')}
      className="max-h-80 max-w-full rounded-control border border-line"
    />
  );
}
