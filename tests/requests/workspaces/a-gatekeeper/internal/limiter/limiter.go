package limiter

import (
	"sync"
	"time"
)

// Limiter holds one bucket per key.
type Limiter struct {
	mu      sync.Mutex
	burst   float64
	perSec  float64
	buckets map[string]*bucket
}

type bucket struct {
	tokens float64
	last   time.Time
}

// New makes a limiter with the given burst and refill rate.
func New(burst, perSec float64) *Limiter {
	return &Limiter{burst: burst, perSec: perSec, buckets: map[string]*bucket{}}
}

// Allow takes one token for key and says whether there was one.
func (l *Limiter) Allow(key string) bool {
	return l.AllowN(key, 1)
}

// AllowN takes n tokens.
func (l *Limiter) AllowN(key string, n float64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.get(key)
	now := time.Now()
	b.tokens += now.Sub(b.last).Seconds() * l.perSec
	if b.tokens > l.burst {
		b.tokens = l.burst
	}
	b.last = now
	if b.tokens < n {
		return false
	}
	b.tokens -= n
	return true
}

func (l *Limiter) get(key string) *bucket {
	b, ok := l.buckets[key]
	if !ok {
		// TODO: evict idle buckets
		b = &bucket{tokens: l.burst, last: time.Now()}
		l.buckets[key] = b
	}
	return b
}
