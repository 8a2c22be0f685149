package io.volume4j.examples.quickstart;

public final class Quickstart {
    private Quickstart() {}

    public static void main(String[] args) {}
}
