package limiter

import "testing"

func TestBurst(t *testing.T) {
	l := New(3, 0)
	for i := 0; i < 3; i++ {
		if !l.Allow("a") {
			t.Fatalf("call %d refused", i)
		}
	}
	if l.Allow("a") {
		t.Fatal("fourth call allowed")
	}
}

func TestKeysAreSeparate(t *testing.T) {
	l := New(1, 0)
	if !l.Allow("a") || !l.Allow("b") {
		t.Fatal("keys share a bucket")
	}
}

func TestAllowN(t *testing.T) {
	l := New(5, 0)
	if l.AllowN("a", 6) {
		t.Fatal("took more than the burst")
	}
}
