package io.volume4j.core.control.binding.plan;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The open provisioning intents as they were last read, so that a claim that is looked at again is not parsed again. */
public final class Intents {
    private record Read(String text, ProvisioningIntent intent) {}

    private final Map<String, Read> byClaimUid = new HashMap<>();

    /** @throws IllegalArgumentException if the text is no intent */
    ProvisioningIntent read(String claimUid, String text) {
        @Nullable Read known = byClaimUid.get(claimUid);
        if (known != null && known.text().equals(text)) {
            return known.intent();
        }
        ProvisioningIntent intent = IntentText.read(text);
        byClaimUid.put(claimUid, new Read(text, intent));
        return intent;
    }

    /** The claim is gone, or its intent is closed. */
    public void forget(String claimUid) {
        byClaimUid.remove(claimUid);
    }
}
