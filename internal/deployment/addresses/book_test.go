package addresses_test

import (
	"strings"
	"testing"

	"hubquote/internal/deployment/addresses"
	"hubquote/swap"
)

func TestSharedAddressIsRefused(t *testing.T) {
	one := swap.MustAddress("0x1111111111111111111111111111111111111111")
	two := swap.MustAddress("0x2222222222222222222222222222222222222222")
	if err := (addresses.Book{"USDC@1": one, "USDC@56": two}).CheckDistinct(); err != nil {
		t.Error(err)
	}
	err := addresses.Book{"USDC@1": one, "USDC@56": two, "DAI@56": one}.CheckDistinct()
	if err == nil || !strings.Contains(err.Error(), "DAI@56 and USDC@1 have one address") {
		t.Errorf("error %v, want one about two contracts at one address", err)
	}
}
