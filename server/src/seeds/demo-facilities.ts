/**
 * The demo operator's facilities: twelve in six states, the two special location codes among them.
 */
export const demoFacilities = [
  {
    ...facility(
      'TXDFW03',
      'Eagle Mountain',
      ['4100 Marina Drive', 'Fort Worth', 'TX', '76135'],
      '8175550103',
      'America/Chicago',
      500,
    ),
    rent_tax1_basis_points: 625,
    rent_tax2_basis_points: 200,
  },
  facility(
    'TXDFW03A',
    'Eagle Mountain East',
    ['4100 Marina Drive', 'Fort Worth', 'TX', '76135'],
    '8175550104',
    'America/Chicago',
  ),
  facility(
    'TXHOU02',
    'Clear Lake',
    ['2218 NASA Parkway', 'Seabrook', 'TX', '77586'],
    '2815550132',
    'America/Chicago',
  ),
  facility(
    'TXAUS01',
    'Lake Travis',
    ['15301 Ranch Road 620', 'Austin', 'TX', '78738'],
    '5125550146',
    'America/Chicago',
  ),
  facility(
    'AZPHX01',
    'Lake Pleasant',
    ['33100 N Harbor View Road', 'Peoria', 'AZ', '85383'],
    '6025550101',
    'America/Phoenix',
  ),
  facility(
    'AZTUS01',
    'Rita Ranch',
    ['8800 S Houghton Road', 'Tucson', 'AZ', '85747'],
    '5205550155',
    'America/Phoenix',
  ),
  facility(
    'CASAN01',
    'Mission Bay',
    ['1455 Quivira Way', 'San Diego', 'CA', '92109'],
    '6195550127',
    'America/Los_Angeles',
  ),
  facility(
    'CALAN02',
    'Castaic',
    ['31900 Ridge Route Road', 'Castaic', 'CA', '91384'],
    '6615550170',
    'America/Los_Angeles',
  ),
  facility(
    'CODEN01',
    'Cherry Creek',
    ['9700 E Jordan Road', 'Denver', 'CO', '80111'],
    '3035550139',
    'America/Denver',
  ),
  facility(
    'FLTPA01',
    'Apollo Beach',
    ['610 Surfside Boulevard', 'Tampa', 'FL', '33572'],
    '8135550184',
    'America/New_York',
  ),
  facility(
    'FLMIA02',
    'Black Point',
    ['24775 SW 87th Avenue', 'Miami', 'FL', '33032'],
    '3055550192',
    'America/New_York',
  ),
  facility(
    'NVLAS01',
    'Lake Mead',
    ['268 Lakeshore Road', 'Boulder City', 'NV', '89005'],
    '7025550115',
    'America/Los_Angeles',
  ),
];

function facility(
  locationCode: string,
  place: string,
  [street1, city, region, postal_code]: [string, string, string, string],
  phone: string,
  time_zone: string,
  card_fee_cents = 0,
) {
  return {
    location_code: locationCode,
    name: `Anchor & Axle ${place}`,
    phone,
    email: `${place.toLowerCase().replaceAll(' ', '-')}@anchor-axle.example`,
    street1,
    city,
    region,
    postal_code,
    time_zone,
    card_fee_cents,
    sends_reminders: true,
    sends_texts: true,
    move_out_url: `https://anchor-axle.example/move-out/${locationCode.toLowerCase()}`,
  };
}
