package io.volume4j.examples.benchmarks.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Options of a command with a value each, and at most one argument besides. */
final class Arguments {
    private final Map<String, String> values = new LinkedHashMap<>();
    private @Nullable String rest;

    /** Takes the options that are known. */
    Arguments(List<String> arguments, List<String> known) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith("--")) {
                if (rest != null) {
                    throw new WorkloadException("one argument too many: " + argument);
                }
                rest = argument;
            } else if (!known.contains(argument)) {
                throw new WorkloadException("there is no option " + argument);
            } else if (i + 1 == arguments.size()) {
                throw new WorkloadException(argument + " needs a value");
            } else {
                values.put(argument, arguments.get(++i));
            }
        }
    }

    @Nullable
    String rest() {
        return rest;
    }

    String text(String option, String otherwise) {
        return values.getOrDefault(option, otherwise);
    }

    long number(String option, long otherwise) {
        try {
            return Long.parseLong(values.getOrDefault(option, String.valueOf(otherwise)));
        } catch (NumberFormatException e) {
            throw new WorkloadException(option + " needs a whole number", e);
        }
    }

    int size(String option, int otherwise) {
        long number = number(option, otherwise);
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new WorkloadException(option + " is out of range: " + number);
        }
        return (int) number;
    }

    double share(String option, double otherwise) {
        try {
            return Double.parseDouble(values.getOrDefault(option, String.valueOf(otherwise)));
        } catch (NumberFormatException e) {
            throw new WorkloadException(option + " needs a number", e);
        }
    }
}
