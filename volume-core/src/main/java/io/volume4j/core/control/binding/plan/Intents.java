package io.volume4j.core.control.binding.plan;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cache of parsed provisioning intents, so that another visit of a claim does not parse its intent again. */
public final class Intents {
    private record Read(String text, ProvisioningIntent intent) {}

    private final Map<String, Read> byClaimUid = new HashMap<>();

    /** @throws IllegalArgumentException if the text is not an intent */
    ProvisioningIntent read(String claimUid, String text) {
        @Nullable Read known = byClaimUid.get(claimUid);
        if (known != null && known.text().equals(text)) {
            return known.intent();
        }
        ProvisioningIntent intent = IntentText.read(text);
        byClaimUid.put(claimUid, new Read(text, intent));
        return intent;
    }

    /** Removes the entry of a claim that is gone or whose intent is closed. */
    public void forget(String claimUid) {
        byClaimUid.remove(claimUid);
    }
}
