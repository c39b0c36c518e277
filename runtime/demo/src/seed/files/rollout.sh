#!/usr/bin/env bash
set -euo pipefail

environment="${1:?usage: rollout.sh ENVIRONMENT VERSION}"
version="${2:?usage: rollout.sh ENVIRONMENT VERSION}"

echo "Rolling ${version} out to ${environment}"
kubectl --context "${environment}" set image deployment/ledger ledger="registry.example.com/ledger:${version}"
kubectl --context "${environment}" rollout status deployment/ledger --timeout=5m
