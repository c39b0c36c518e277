create table statement (
    account_id  uuid        not null references account (id),
    month       date        not null,
    rendered_at timestamptz not null default now(),
    document    bytea       not null,
    primary key (account_id, month)
);

create index statement_month on statement (month);
