package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cache of parsed provisioning intents, so that another visit of a claim does not parse its intent again. */
public final class Intents {
    /** @param intent null if the text is an intent for another volume */
    private record Read(String text, @Nullable ProvisioningIntent intent) {}

    private final Map<String, Read> byClaimUid = new HashMap<>();

    /**
     * The open intent of the claim; null for none. An intent for another volume than the claim's is none: it came with a copy of
     * another claim's manifest.
     *
     * @throws IllegalArgumentException if the annotation is not an intent
     */
    @Nullable
    ProvisioningIntent of(PersistentVolumeClaim claim) {
        String text = claim.metadata().annotation(Annotation.PROVISIONING_INTENT);
        if (text.isEmpty()) {
            return null;
        }
        String uid = claim.metadata().uid();
        @Nullable Read known = byClaimUid.get(uid);
        if (known != null && known.text().equals(text)) {
            return known.intent();
        }
        ProvisioningIntent parsed = IntentText.read(text);
        @Nullable ProvisioningIntent intent = parsed.isFor(claim) ? parsed : null;
        byClaimUid.put(uid, new Read(text, intent));
        return intent;
    }

    /** Removes the entry of a claim that is gone or whose intent is closed. */
    public void forget(String claimUid) {
        byClaimUid.remove(claimUid);
    }
}
