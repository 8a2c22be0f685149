package io.volume4j.examples.benchmarks.measure;

import io.volume4j.examples.benchmarks.measure.Summary.Spread;
import java.util.List;
import java.util.Locale;

/**
 * A plot of ratios as SVG: a point for the median of all rounds, a bar from the smallest to the largest, on a logarithmic scale. Left of
 * 1 the library needs less; for rates, right of 1 is better. Pure.
 */
public final class Plot {
    private static final int WORDS = 470;
    private static final int WIDTH = 1000;
    private static final int RIGHT = 90;
    private static final int LINE = 24;
    private static final int TOP = 56;
    private static final int BOTTOM = 52;

    private final double from;
    private final double to;
    private final StringBuilder svg = new StringBuilder();

    private Plot(double from, double to) {
        this.from = from;
        this.to = to;
    }

    /** Omits values without a place on the scale: a cost that was too small for the measurement. */
    public static String of(List<Spread> all, int rounds, String machine) {
        List<Spread> spreads = all.stream()
                .filter(each -> each.least() > 0 && Double.isFinite(each.greatest()))
                .toList();
        double least = spreads.stream().mapToDouble(Spread::least).min().orElse(1);
        double greatest = spreads.stream().mapToDouble(Spread::greatest).max().orElse(1);
        double from = Math.pow(10, Math.floor(Math.log10(Math.min(least, 1))));
        double to = Math.pow(10, Math.ceil(Math.log10(Math.max(greatest, 1.0001))));
        return new Plot(from, to).draw(spreads, rounds, machine);
    }

    private String draw(List<Spread> spreads, int rounds, String machine) {
        int bottom = TOP + LINE * spreads.size();
        int height = bottom + BOTTOM;
        add(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='12' role='img'>",
                WIDTH, height);
        add("<title>Ratios of %d rounds</title><rect width='%d' height='%d' fill='white'/>", rounds, WIDTH, height);
        add(
                "<text x='16' y='24' font-size='15' font-weight='600'>This library to what it is compared with, %d rounds</text>",
                rounds);
        for (double tick = from; tick <= to * 1.0001; tick *= 10) {
            boolean one = Math.abs(tick - 1) < 1e-9;
            add(
                    "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' stroke='%s'/>",
                    x(tick), x(tick), TOP - 8, bottom, one ? "#666" : "#ddd");
            add(
                    "<text x='%.1f' y='%d' text-anchor='middle' fill='#555'>%s</text>",
                    x(tick), TOP - 12, Figures.ratio(tick));
        }
        int y = TOP + LINE / 2;
        for (Spread each : spreads) {
            add(
                    "<text x='%d' y='%d' text-anchor='end'>%s%s</text>",
                    WORDS - 14, y + 4, escaped(each.title()), each.doubted() ? " *" : "");
            add(
                    "<path d='M%.1f %dH%.1fM%.1f %dv8M%.1f %dv8' stroke='#7a8ca3' stroke-width='2' fill='none'/>",
                    x(each.least()), y, x(each.greatest()), x(each.least()), y - 4, x(each.greatest()), y - 4);
            add("<circle cx='%.1f' cy='%d' r='4' fill='#2a5fa8'/>", x(each.median()), y);
            add("<text x='%d' y='%d' fill='#333'>%s</text>", WIDTH - RIGHT + 12, y + 4, Figures.ratio(each.median()));
            y += LINE;
        }
        boolean doubted = spreads.stream().anyMatch(Spread::doubted);
        add(
                "<text x='16' y='%d' fill='#555'>Point: median; bar: least to greatest. %s</text>",
                bottom + 22, escaped(machine));
        if (doubted) {
            add(
                    "<text x='16' y='%d' fill='#555'>* measured on a busy machine, or of a build that no commit holds</text>",
                    bottom + 40);
        }
        return svg.append("</svg>\n").toString();
    }

    private double x(double ratio) {
        double part = (Math.log10(ratio) - Math.log10(from)) / (Math.log10(to) - Math.log10(from));
        return WORDS + part * (WIDTH - RIGHT - WORDS);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
