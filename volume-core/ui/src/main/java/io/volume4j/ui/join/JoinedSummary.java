package io.volume4j.ui.join;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.ui.rows.RowState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One summary of several views. Counts and rates are sums. The median of a span is the views' medians weighted by their steps, and its
 * 99th percentile is the greatest of theirs. A view that does not answer is a source that is not live.
 */
public final class JoinedSummary {
    private static final int MOST_CALLS = 200;
    private static final int MOST_ATTENTION = 100;
    private static final int MOST_RECENT = 40;
    private static final int MOST_SLOW = 10;

    /** The page shows the age of an older answer. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private static final List<String> WORST_FIRST =
            Arrays.stream(RowState.values()).map(RowState::word).toList();

    private JoinedSummary() {}

    /**
     * The summary of a view's own sources and of the joined views.
     *
     * @param own is changed and returned
     * @param now by the clock of the joined views, which measures the age of their answers
     */
    public static ObjectNode of(ObjectNode own, List<JoinedView> views, long now) {
        List<ObjectNode> all = new ArrayList<>(List.of(own));
        ArrayNode sources = array(own, "sources");
        for (JoinedView view : views) {
            JoinedView.Answer answer = view.answer().orElse(null);
            if (answer == null) {
                sources.add(silent(view));
                continue;
            }
            answer.summary().path("sources").forEach(source -> sources.add(aged(source, view, answer, now)));
            all.add(answer.summary());
        }
        own.put(
                "revision",
                all.stream().mapToLong(each -> each.path("revision").asLong()).sum());
        own.set("counts", counts(all));
        own.set("attention", first(all, "attention", MOST_ATTENTION, Comparator.comparingInt(JoinedSummary::badness)));
        own.set(
                "calls",
                first(
                        all,
                        "calls",
                        MOST_CALLS,
                        Comparator.comparing((JsonNode call) ->
                                        !call.path("state").asText().equals("WRITTEN_OFF"))
                                .thenComparing(call -> -call.path("age").asLong())));
        own.set("lanes", first(all, "lanes", Integer.MAX_VALUE, Comparator.comparing(lane -> 0)));
        own.set("rates", rates(all));
        own.set("kinds", kinds(all));
        own.set(
                "slow",
                first(
                        all,
                        "slow",
                        MOST_SLOW,
                        Comparator.comparing(slow -> -slow.path("millis").asDouble())));
        own.set(
                "recent",
                first(
                        all,
                        "recent",
                        MOST_RECENT,
                        Comparator.comparing(step -> -step.path("at").asLong())));
        return own;
    }

    /** Replaces the names of sources in the whole summary with the names that viewers see. */
    static void renameAll(ObjectNode summary, JoinedView view) {
        for (String part : List.of("sources", "attention", "calls", "lanes", "slow", "recent")) {
            rename(summary.path(part), view);
        }
    }

    /** Replaces the name of the source in each entry with the name that viewers see. */
    static void rename(JsonNode entries, JoinedView view) {
        for (JsonNode entry : entries) {
            if (entry instanceof ObjectNode tree) {
                String field = tree.has("source") ? "source" : "name";
                tree.put(field, view.shown(tree.path(field).asText()));
            }
        }
    }

    private static ArrayNode array(ObjectNode tree, String name) {
        return tree.path(name) instanceof ArrayNode there ? there : tree.putArray(name);
    }

    private static ObjectNode silent(JoinedView view) {
        ObjectNode source = JsonNodeFactory.instance.objectNode();
        source.put("name", view.name());
        source.put("node", true);
        source.set("counts", noCounts());
        source.put("unread", 0);
        ObjectNode health = source.putObject("health");
        health.put("live", false).put("ready", false).put("leads", false);
        health.putArray("reasons").add("its view at " + view.address() + " does not answer: " + view.failure());
        return source;
    }

    private static JsonNode aged(JsonNode source, JoinedView view, JoinedView.Answer answer, long now) {
        Duration age = Duration.ofNanos(now - answer.at());
        if (age.compareTo(FRESH) <= 0) {
            return source;
        }
        ObjectNode aged = source.deepCopy();
        ObjectNode health = aged.path("health") instanceof ObjectNode there ? there : aged.putObject("health");
        health.put("live", false);
        array(health, "reasons")
                .add("what is shown is " + age.toSeconds() + " s old: its view at " + view.address()
                        + " does not answer" + (view.failure().isEmpty() ? "" : ": " + view.failure()));
        return aged;
    }

    private static ObjectNode noCounts() {
        ObjectNode counts = JsonNodeFactory.instance.objectNode();
        for (RowState state : RowState.values()) {
            counts.put(state.word(), 0);
        }
        return counts;
    }

    private static ObjectNode counts(List<ObjectNode> all) {
        ObjectNode sums = noCounts();
        for (RowState state : RowState.values()) {
            sums.put(
                    state.word(),
                    all.stream()
                            .mapToInt(each ->
                                    each.path("counts").path(state.word()).asInt())
                            .sum());
        }
        return sums;
    }

    private static int badness(JsonNode row) {
        return WORST_FIRST.indexOf(row.path("state").asText());
    }

    private static ArrayNode first(List<ObjectNode> all, String part, int most, Comparator<JsonNode> order) {
        List<JsonNode> entries = new ArrayList<>();
        all.forEach(each -> each.path(part).forEach(entries::add));
        entries.sort(order);
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        entries.subList(0, Math.min(most, entries.size())).forEach(array::add);
        return array;
    }

    private static ObjectNode rates(List<ObjectNode> all) {
        ObjectNode sums = all.get(0).path("rates").deepCopy();
        int spans = sums.path("perSecond").size();
        ArrayNode per = sums.putArray("perSecond");
        ArrayNode failed = sums.putArray("failedPerSecond");
        ArrayNode p50 = sums.putArray("p50");
        ArrayNode p99 = sums.putArray("p99");
        for (int i = 0; i < spans; i++) {
            double steps = 0;
            double bad = 0;
            double medians = 0;
            double longest = 0;
            for (ObjectNode each : all) {
                JsonNode rates = each.path("rates");
                double own = rates.path("perSecond").path(i).asDouble();
                steps += own;
                bad += rates.path("failedPerSecond").path(i).asDouble();
                medians += own * rates.path("p50").path(i).asDouble();
                longest = Math.max(longest, rates.path("p99").path(i).asDouble());
            }
            per.add(steps);
            failed.add(bad);
            p50.add(steps == 0 ? 0 : medians / steps);
            p99.add(longest);
        }
        return sums;
    }

    private static ArrayNode kinds(List<ObjectNode> all) {
        Map<String, ObjectNode> sums = new LinkedHashMap<>();
        for (ObjectNode each : all) {
            for (JsonNode kind : each.path("kinds")) {
                sums.merge(kind.path("kind").asText(), kind.deepCopy(), JoinedSummary::together);
            }
        }
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        sums.values().forEach(array::add);
        return array;
    }

    private static ObjectNode together(ObjectNode one, ObjectNode other) {
        long steps = one.path("count").asLong();
        long more = other.path("count").asLong();
        ObjectNode sum = one.deepCopy();
        sum.put("count", steps + more);
        sum.put("failed", one.path("failed").asLong() + other.path("failed").asLong());
        double weighted =
                steps * one.path("p50").asDouble() + more * other.path("p50").asDouble();
        sum.put("p50", steps + more == 0 ? 0 : weighted / (steps + more));
        for (String greatest : List.of("p99", "max")) {
            sum.put(
                    greatest,
                    Math.max(one.path(greatest).asDouble(), other.path(greatest).asDouble()));
        }
        return sum;
    }
}
