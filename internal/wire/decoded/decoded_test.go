package decoded_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/calldata"
	"hubquote/internal/wire/decoded"
)

// Literals from the issuer's and the pools' ABI, with no two fields equal.
func TestParse(t *testing.T) {
	tests := []struct {
		name, call string
		want       *decoded.Call
	}{
		{"pool", "095ff22d" +
			"0000000000000000000000000000000000000000000000000000000000002105" +
			"0000000000000000000000000000000000000000000000000000000000989680" +
			"00000000000000000000000000000000000000000000000000000000000000c0" +
			"0000000000000000000000000000000000000000000000000000000000000000" +
			"000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913" +
			"0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc" +
			"0000000000000000000000000000000000000000000000000000000000000014" +
			"70997970c51812dc3a010c7d01b50e0d17dc79c8000000000000000000000000",
			&decoded.Call{
				Function: "swap(uint256 dstChain, uint256 amount, bytes recipient, uint8 recipientType, address dstToken, bytes32 integratorId)",
				Arguments: decoded.PoolArguments{
					DstChain: "8453", Amount: "10000000", Recipient: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", RecipientType: 0,
					DstToken:     "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
					IntegratorID: "0x0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc",
				},
				Offsets: &decoded.Offsets{Amount: 36, Recipient: 228},
			}},
		{"pool with an account for refunds", "addb3d3d" +
			"0000000000000000000000000000000000000000000000000000000000002105" +
			"0000000000000000000000000000000000000000000000000000000000989680" +
			"00000000000000000000000000000000000000000000000000000000000000e0" +
			"0000000000000000000000000000000000000000000000000000000000000000" +
			"000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913" +
			"0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc" +
			"00000000000000000000000015d34aaf54267db7d7c367839aaf71a00a2c6a65" +
			"0000000000000000000000000000000000000000000000000000000000000014" +
			"70997970c51812dc3a010c7d01b50e0d17dc79c8000000000000000000000000",
			&decoded.Call{
				Function: "swapFor(uint256 dstChain, uint256 amount, bytes recipient, uint8 recipientType, address dstToken, bytes32 integratorId, address refundTo)",
				Arguments: decoded.PoolArguments{
					DstChain: "8453", Amount: "10000000", Recipient: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", RecipientType: 0,
					DstToken:     "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
					IntegratorID: "0x0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc",
					RefundTo:     "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
				},
				Offsets: &decoded.Offsets{Amount: 36, Recipient: 260},
			}},
		{"burn", "779b432d" +
			"0000000000000000000000000000000000000000000000000000000000989680" +
			"0000000000000000000000000000000000000000000000000000000000000006" +
			"00000000000000000000000015d34aaf54267db7d7c367839aaf71a00a2c6a65" +
			"0000000000000000000000000b2c639c533813f4aa9d7837caf62653d097ff85" +
			"0000000000000000000000009965507d1a55bcc2695c58ba16fb37d819b0a4dc" +
			"0000000000000000000000000000000000000000000000000000000000000618" +
			"00000000000000000000000000000000000000000000000000000000000003e8" +
			"0000000000000000000000000000000000000000000000000000000000000100" +
			"0000000000000000000000000000000000000000000000000000000000000069" +
			"0000000000000000000000000000000000000000000000000000000000000171" +
			"15d38573d2feeb82e7ad5187ab8c1d52810b1f07" +
			"0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc" +
			"00" + "70997970c51812dc3a010c7d01b50e0d17dc79c8" +
			"0000000000000000000000000000000000000000000000",
			&decoded.Call{
				Function: "depositForBurnWithHook(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold, bytes hookData)",
				Arguments: decoded.BurnArguments{
					Amount: "10000000", DestinationDomain: 6,
					MintRecipient:     "0x00000000000000000000000015d34aaf54267db7d7c367839aaf71a00a2c6a65",
					BurnToken:         "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
					DestinationCaller: "0x0000000000000000000000009965507d1a55bcc2695c58ba16fb37d819b0a4dc",
					MaxFee:            "1560", MinFinalityThreshold: 1000,
					HookData: "0x0000000000000000000000000000000000000000000000000000000000000171" +
						"15d38573d2feeb82e7ad5187ab8c1d52810b1f07" +
						"0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc" +
						"00" + "70997970c51812dc3a010c7d01b50e0d17dc79c8",
				},
				Hook: &decoded.Hook{
					DstChain: "369", DstToken: "0x15D38573d2feeb82e7ad5187aB8c1D52810B1f07",
					IntegratorID:  "0x0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc",
					RecipientType: 0, Recipient: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
				},
				Offsets: &decoded.Offsets{Amount: 4, Recipient: 377},
			}},
		{"approve", "095ea7b3" +
			"00000000000000000000000028b5a0e9c621a5badaa536219b3a228c8168cf5d" +
			"000000000000000000000000000000000000000000000000000000000367a280",
			&decoded.Call{
				Function:  "approve(address spender, uint256 amount)",
				Arguments: decoded.ApproveArguments{Spender: "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d", Amount: "57123456"},
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			call, err := hex.DecodeString(tt.call)
			if err != nil {
				t.Fatal(err)
			}
			got, err := decoded.Parse(call)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Parse (-want +got):\n%s", diff)
			}
			for _, other := range [][]byte{nil, call[:4], call[:len(call)-1], append(bytes.Clone(call), 0), append([]byte{0}, call[1:]...)} {
				if d, err := decoded.Parse(other); err == nil {
					t.Errorf("Parse(%x) = %v, want an error", other, d)
				}
			}
		})
	}
}

// A burn with a hook that is not ours is not a call of this service.
func TestParseRefusesForeignHooks(t *testing.T) {
	for _, hook := range [][]byte{nil, []byte("cctp-forward"), make([]byte, 104), make([]byte, 106)} {
		c := calldata.BurnCall{Hook: hook}
		if d, err := decoded.Parse(c.Bytes()); err == nil {
			t.Errorf("Parse of a burn with hook %x = %v, want an error", hook, d)
		}
	}
}
