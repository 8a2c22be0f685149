package io.volume4j.examples.simulator;

import io.volume4j.inmemory.scale.Event;
import io.volume4j.inmemory.scale.Growth;
import io.volume4j.inmemory.scale.LiveHeap;
import io.volume4j.inmemory.scale.Load;
import io.volume4j.inmemory.scale.Measure;
import io.volume4j.inmemory.scale.ScaleDay;
import io.volume4j.inmemory.scale.ScaleSettings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Runs clusters of growing size and prints what was counted. */
final class ScaleTable {
    private final PrintStream out;

    ScaleTable(PrintStream out) {
        this.out = out;
    }

    /** Prints each size as soon as it has run, and then how everything grew; false if something grew worse than is known. */
    boolean run(List<ScaleSettings> sizes, int hours, int eventsPerHour) {
        head();
        List<ScaleDay> days = new ArrayList<>();
        for (ScaleSettings size : sizes) {
            ScaleDay day = ScaleDay.of(size, hours, eventsPerHour);
            days.add(day);
            print(day);
        }
        out.println();
        out.println("| of an event | grows with the nodes |");
        out.println("|---|---|");
        for (Event event : Event.values()) {
            for (Measure measure : Measure.values()) {
                print(event, measure, ScaleDay.growth(days, event, measure));
            }
        }
        List<String> worse = ScaleDay.worse(days);
        out.println();
        worse.forEach(each -> out.println("WORSE " + each));
        out.println(worse.size() + " costs grow worse than is known");
        return worse.isEmpty();
    }

    private void head() {
        List<String> words = new ArrayList<>(List.of("nodes", "agents", "volumes", "cost of"));
        for (Measure measure : Measure.values()) {
            words.add(measure.word());
        }
        words.add("live bytes a volume: all");
        words.add("of the library's classes");
        row(words);
        out.println("|" + "---|".repeat(words.size()));
    }

    private void print(ScaleDay day) {
        row(day, "a volume of a pod that comes", day.filled(), day.settings().volumes(), day.heapFilled());
        for (Event event : Event.values()) {
            row(day, event.word(), day.events().getOrDefault(event, Load.none()), day.times(), new LiveHeap(0, 0));
        }
        row(day, "an hour at rest after " + day.hours(), day.rested(), 1, day.heapAfter());
        out.flush();
    }

    private void row(ScaleDay day, String what, Load load, int times, LiveHeap heap) {
        ScaleSettings settings = day.settings();
        List<String> cells = new ArrayList<>(
                List.of(count(settings.nodes()), count(settings.agents()), count(settings.volumes()), what));
        for (Measure measure : Measure.values()) {
            cells.add(count((double) load.of(measure) / times));
        }
        boolean measured = heap.bytes() > 0;
        cells.add(measured ? count((double) heap.bytes() / settings.volumes()) : "");
        cells.add(measured ? count((double) heap.ours() / settings.volumes()) : "");
        row(cells);
    }

    private void print(Event event, Measure measure, Growth growth) {
        if (growth.shape() != Growth.Shape.LEVEL) {
            row(List.of(
                    event.word() + ": " + measure.word(),
                    growth.shape().word() + String.format(Locale.ROOT, ", %.3g for each node", growth.slope())));
        }
    }

    private void row(List<String> cells) {
        out.println(cells.stream().collect(Collectors.joining(" | ", "| ", " |")));
    }

    private static String count(double amount) {
        return String.format(Locale.ROOT, amount < 100 && amount != Math.rint(amount) ? "%.1f" : "%,.0f", amount);
    }
}
