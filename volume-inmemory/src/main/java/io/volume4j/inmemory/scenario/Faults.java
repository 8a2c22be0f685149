package io.volume4j.inmemory.scenario;

import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The faults of the steps {@code fail} and {@code rejectWrites}. */
final class Faults {
    private static final Duration LATE = Duration.ofSeconds(30);
    private static final String DANGLING = "dangling(";
    private static final String ALWAYS = "always";

    private Faults() {}

    /** The fault that {@code fail} describes for a plugin's call. */
    static Fault ofCall(Value value) {
        Fault fault = Fault.on(Names.call(value.require("call")));
        @Nullable Value plugin = value.get("plugin");
        @Nullable Value volume = value.get("volume");
        @Nullable Value node = value.get("node");
        @Nullable Value nth = value.get("nth");
        @Nullable Value times = value.get("times");
        fault = plugin == null ? fault : fault.by(plugin.text());
        fault = volume == null ? fault : fault.of(volume.text());
        fault = node == null ? fault : fault.at(node.text());
        fault = nth == null ? fault : fault.nth(nth.count());
        fault = times == null ? fault : fault.times(times(times));
        return as(fault, value.require("as"), value.get("after"));
    }

    private static Fault as(Fault fault, Value as, @Nullable Value after) {
        String word = as.text();
        if (word.startsWith(DANGLING) && word.endsWith(")") && word.length() > DANGLING.length() + 1) {
            return fault.dangling(word.substring(DANGLING.length(), word.length() - 1));
        }
        FaultKind kind = word(as, "fault", FaultKind.values(), FaultKind::word);
        if (kind == FaultKind.DANGLING) {
            throw as.error("a dangling attachment names the node that has it: write dangling(n2)");
        }
        boolean takesTime = kind == FaultKind.LATE_SUCCESS || kind == FaultKind.DELAY;
        if (after != null && !takesTime) {
            throw after.error("only lateSuccess and delay take an \"after\", not " + word);
        }
        Duration late = after == null ? LATE : after.duration();
        return switch (kind) {
            case LATE_SUCCESS -> fault.lateBy(late);
            case DELAY -> fault.delayed(late);
            default -> fault.as(kind);
        };
    }

    /** The fault that {@code rejectWrites} describes for requests to the cluster. */
    static ClusterFault ofRequest(Value value) {
        ClusterFault fault = ClusterFault.on(
                        word(value.require("verb"), "verb", ClusterVerb.values(), ClusterVerb::word))
                .of(Names.kind(value.require("kind")))
                .as(word(
                        value.require("as"),
                        "rejection",
                        ClusterFault.Rejection.values(),
                        ClusterFault.Rejection::word));
        @Nullable Value times = value.get("times");
        return times == null ? fault : fault.times(times(times));
    }

    private static int times(Value value) {
        return value.text().equals(ALWAYS) ? Fault.ALWAYS : value.count();
    }

    private static <E extends Enum<E>> E word(Value value, String what, E[] all, Function<E, String> wordOf) {
        return Arrays.stream(all)
                .filter(each -> wordOf.apply(each).equals(value.text()))
                .findFirst()
                .orElseThrow(
                        () -> value.unknown(what, Arrays.stream(all).map(wordOf).toList()));
    }
}
