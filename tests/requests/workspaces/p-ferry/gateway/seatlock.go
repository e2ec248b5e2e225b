package main

import (
	"net/http"
	"sync"
	"time"
)

const holdMinutes = 15

// SeatLocks keeps the seats that wait for payment.
type SeatLocks struct {
	mu    sync.Mutex
	until map[string]time.Time
	ttl   time.Duration
}

func NewSeatLocks(minutes int) *SeatLocks {
	return &SeatLocks{until: map[string]time.Time{}, ttl: time.Duration(minutes) * time.Minute}
}

func (s *SeatLocks) Lock(seat string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.until[seat]; ok && time.Now().Before(t) {
		return false
	}
	s.until[seat] = time.Now().Add(s.ttl)
	return true
}

func (s *SeatLocks) Handle(w http.ResponseWriter, r *http.Request) {
	if !s.Lock(r.URL.Query().Get("seat")) {
		http.Error(w, "taken", http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusCreated)
}
