package io.volume4j.core.control.host.facts;

import io.volume4j.core.control.host.WriteTime;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A family of conditions of a claim that report the progress of one activity. A claim has at most one condition of a
 * family. This class does not change conditions outside the family. If a condition is an intent, its reason names the
 * leader that wrote it, because a status has no other field for the leader.
 *
 * @param family the types that exclude each other
 */
public record ClaimConditions(List<String> family) {
    private static final String EPOCH = "LeaderEpoch";
    private static final String DOUBT = "an earlier call may have had its effect";
    private static final List<String> PATH = List.of("status", "conditions");

    /** The change that makes the condition the only one of its family. Empty if the claim already has it so. */
    public Optional<FieldChange> only(PersistentVolumeClaim claim, String type, String reason, String message) {
        Map<String, Object> wanted = new LinkedHashMap<>();
        wanted.put("type", type);
        wanted.put("status", "True");
        if (!reason.isEmpty()) {
            wanted.put("reason", reason);
        }
        if (!message.isEmpty()) {
            wanted.put("message", message);
        }
        List<Object> all = all(claim);
        List<Object> next = others(all);
        if (all.contains(wanted) && next.size() == all.size() - 1) {
            return Optional.empty();
        }
        next.add(wanted);
        return Optional.of(new FieldChange(PATH, next));
    }

    /** The change that removes the conditions of the family. Empty if the claim has none. */
    public Optional<FieldChange> none(PersistentVolumeClaim claim) {
        List<Object> all = all(claim);
        List<Object> others = others(all);
        return others.size() < all.size() ? Optional.of(new FieldChange(PATH, others)) : Optional.empty();
    }

    /** The message, which also tells later leaders if an earlier call may have had its effect. */
    public static String message(String text, boolean doubt) {
        return doubt ? (text.isEmpty() ? DOUBT : text + "; " + DOUBT) : text;
    }

    /**
     * Whether the family's condition says that a call of an earlier leader, or an earlier call, may have had its
     * effect.
     */
    public boolean doubt(PersistentVolumeClaim claim) {
        return all(claim).stream()
                .anyMatch(condition -> condition instanceof Map<?, ?> fields
                        && family.contains(String.valueOf(fields.get("type")))
                        && String.valueOf(fields.get("message")).endsWith(DOUBT));
    }

    public static String reason(long epoch) {
        return EPOCH + epoch;
    }

    /**
     * The epoch of the leader that wrote the family's condition as its intent. 0 if no leader of this library wrote
     * it.
     */
    public long epoch(PersistentVolumeClaim claim) {
        for (Object condition : all(claim)) {
            if (condition instanceof Map<?, ?> fields && family.contains(String.valueOf(fields.get("type")))) {
                String reason = String.valueOf(fields.get("reason"));
                if (reason.matches(EPOCH + "[0-9]{1,18}")) {
                    return Long.parseLong(reason.substring(EPOCH.length()));
                }
            }
        }
        return 0;
    }

    /** The condition of the type as it is stored. */
    public static Optional<Map<?, ?>> find(PersistentVolumeClaim claim, String type) {
        for (Object condition : all(claim)) {
            if (condition instanceof Map<?, ?> fields && type.equals(fields.get("type"))) {
                return Optional.of(fields);
            }
        }
        return Optional.empty();
    }

    /**
     * The change that sets the condition of its type, behind the conditions of other types. Empty if the claim has
     * it. The comparison ignores a {@link WriteTime}.
     */
    public static Optional<FieldChange> with(PersistentVolumeClaim claim, Map<String, Object> wanted) {
        Optional<Map<?, ?>> stored = find(claim, String.valueOf(wanted.get("type")));
        if (stored.isPresent() && says(stored.get(), wanted)) {
            return Optional.empty();
        }
        List<Object> next = all(claim);
        stored.ifPresent(next::remove);
        next.add(wanted);
        return Optional.of(new FieldChange(PATH, next));
    }

    private static boolean says(Map<?, ?> stored, Map<String, Object> wanted) {
        return wanted.entrySet().stream()
                .allMatch(field -> field.getValue() instanceof WriteTime
                        || field.getValue().equals(stored.get(field.getKey())));
    }

    private static List<Object> all(PersistentVolumeClaim claim) {
        @Nullable Object status = claim.unmodeled().document().get("status");
        @Nullable Object found = status instanceof Map<?, ?> fields ? fields.get("conditions") : null;
        List<Object> conditions = new ArrayList<>();
        if (found instanceof List<?> list) {
            conditions.addAll(list);
        }
        return conditions;
    }

    private List<Object> others(List<Object> conditions) {
        List<Object> left = new ArrayList<>(conditions);
        left.removeIf(condition ->
                condition instanceof Map<?, ?> fields && family.contains(String.valueOf(fields.get("type"))));
        return left;
    }
}
