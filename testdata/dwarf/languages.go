package main

type Base struct{ id int }
type Color uint8
type Named interface{ Name() string }
type Pair[T any] struct {
	a T
	b []T
}
type Node struct {
	Base
	name  string
	data  []byte
	index map[string]int
	next  *Node
	call  func(int, string) (bool, error)
	any   interface{}
	named Named
	ch    chan int
	grid  [2][3]uint16
	inner struct{ x, y float64 }
	pair  Pair[uint32]
	color Color
}

func (n *Node) Name() string { return n.name }

//go:noinline
func use(n *Node, k string) (int, error) { return n.index[k] + len(n.data) + int(n.color), nil }

var global = Node{name: "a"}

func main() { v, _ := use(&global, "x"); println(v, global.named == nil) }
