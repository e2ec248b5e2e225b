# awk -f scripts/topips.awk logs/access.log
{ hits[$1]++ }
END { for (ip in hits) print hits[ip], ip | "sort -rn" }
