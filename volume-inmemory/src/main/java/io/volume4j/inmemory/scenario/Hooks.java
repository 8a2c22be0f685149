package io.volume4j.inmemory.scenario;

import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Executes {@code before} steps between the intent of an operation and its call: after the library's decision and
 * before its worker checks the state again. Each step happens once. Belongs to one run.
 */
final class Hooks {
    /** The operations that call plugins, by the names of their steps. */
    static final List<String> OPERATIONS = List.of(
            "provision",
            "delete",
            "recycle",
            "expand",
            "modify",
            "fill",
            "cleanUp",
            "attach",
            "detach",
            "mountDevice",
            "mount",
            "mapIds",
            "unmount",
            "unmountDevice");

    /** Steps that need no time and end no process, so that they can happen within an operation. */
    private static final Set<Step.Kind> AT_ONCE = EnumSet.of(
            Step.Kind.APPLY,
            Step.Kind.DELETE,
            Step.Kind.PATCH,
            Step.Kind.FAIL,
            Step.Kind.REJECT_WRITES,
            Step.Kind.FENCE,
            Step.Kind.LOSE,
            Step.Kind.SOURCES_INCOMPLETE,
            Step.Kind.SOURCES_COMPLETE,
            Step.Kind.WATCHES_LATE,
            Step.Kind.WATCHES_IN_TIME);

    private final List<Hook> waiting = new ArrayList<>();
    private final Consumer<Step> player;

    /** @param player executes a step at once */
    Hooks(Consumer<Step> player) {
        this.player = player;
    }

    private record Hook(String operation, @Nullable ObjectKey object, List<Step> steps, String place) {
        boolean matches(Object key, String reached) {
            return operation.equals(reached) && (object == null || object.equals(key));
        }
    }

    /** Rejects an invalid {@code before} step. */
    static void check(Value value) {
        Value operation = value.require("operation");
        if (!OPERATIONS.contains(operation.text())) {
            throw operation.unknown("operation", OPERATIONS);
        }
        Value object = value.get("object");
        if (object != null) {
            Names.object(object);
        }
        for (Value item : value.require("do").someItems()) {
            Step step = Step.of(item);
            if (!AT_ONCE.contains(step.kind())) {
                throw item.key(step.kind().word())
                        .unknown(
                                "step that can happen in the middle of an operation",
                                AT_ONCE.stream().map(Step.Kind::word).toList());
            }
        }
    }

    void add(Value value) {
        Value object = value.get("object");
        waiting.add(new Hook(
                value.require("operation").text(),
                object == null ? null : Names.object(object),
                value.require("do").items().stream().map(Step::of).toList(),
                value.place()));
    }

    /** The call of a step is about to begin. */
    void reached(Object key, Enum<?> kind) {
        String operation = word(kind);
        Iterator<Hook> each = waiting.iterator();
        while (each.hasNext()) {
            Hook hook = each.next();
            if (hook.matches(key, operation)) {
                each.remove();
                hook.steps.forEach(player);
                return;
            }
        }
    }

    /** The places of the hooks whose operation never began. */
    List<String> missed() {
        return waiting.stream()
                .map(hook -> hook.place + ": no operation " + hook.operation + " began after that"
                        + (hook.object == null ? "" : " for " + hook.object))
                .toList();
    }

    /** {@code mountDevice} for {@code MOUNT_DEVICE}. */
    static String word(Enum<?> kind) {
        StringBuilder word = new StringBuilder();
        for (String part : kind.name().toLowerCase(Locale.ROOT).split("_", -1)) {
            word.append(word.length() == 0 ? part : part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1));
        }
        return word.toString();
    }
}
